/** A Markdown table. An empty cell becomes one blank. */
export function documentTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => "---"), ...rows].map((cells) =>
    `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |"),
  );
}
