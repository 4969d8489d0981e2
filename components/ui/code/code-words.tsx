/** Text in which words between backticks are shown as code. */
export function CodeWords({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name than their place
    at % 2 === 1 ? <code key={at}>{part}</code> : part,
  );
}
