import { CaptureContent } from "../../db/generated/enums.ts";
import { addEnum } from "../enum.ts";

export const CaptureContentEnum = addEnum(
  "CaptureContent",
  CaptureContent,
  "What is stored of prompts, answers and arguments in traces. REDACTED: without secrets, email addresses and card " +
    "numbers. OFF: nothing.",
);
