/** The path of a sparkline in a box, broken where values are missing. A lone value between gaps is a short dash. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return "";
  const top = Math.max(...known);
  const low = Math.min(0, ...known);
  const x = (index: number) => (values.length === 1 ? width / 2 : (index / (values.length - 1)) * width);
  const y = (value: number) => (top === low ? height - 1 : height - 1 - ((value - low) / (top - low)) * (height - 2));
  const parts: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const isFirst = index === 0 || values[index - 1] === null;
    const isLast = index === values.length - 1 || values[index + 1] === null;
    const point = `${round(x(index))} ${round(y(value))}`;
    if (isFirst && isLast) parts.push(`M${round(Math.max(0, x(index) - 1))} ${round(y(value))}h2`);
    else parts.push(`${isFirst ? "M" : "L"}${point}`);
  }
  return parts.join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;
