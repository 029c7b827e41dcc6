/** Why an image is rejected, as the rest of a sentence about it. */
export class ImageProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ImageProblem";
  }
}
