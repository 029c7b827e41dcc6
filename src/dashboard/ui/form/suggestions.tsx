/** Values that a text input suggests. Its `list` names them. */
export function Suggestions({ id, known }: { id: string; known: readonly string[] }) {
  return (
    <datalist id={id}>
      {known.map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  );
}
