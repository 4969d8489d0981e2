const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A whole number with thousands separators: `12,345`. */
export const formatCount = (count: number | bigint): string => GROUPED.format(count);

/** A large number in three digits: `980`, `12.3 k`, `4.1 M`, `2 G`. Tokens, bytes of text, calls. */
export function formatTokens(count: number | bigint): string {
  let value = Number(count);
  if (Math.abs(value) < 1000) return String(Math.round(value));
  for (const unit of ["k", "M", "G", "T"]) {
    value /= 1000;
    const digits = Math.abs(value) < 99.95 ? 1 : 0;
    const text = value.toFixed(digits);
    if (Math.abs(Number(text)) < 1000 || unit === "T") return `${Number(text)} ${unit}`;
  }
  return String(value);
}

/** A share as text: `92 %`, `<1 %`, `>99 %`, never a false 0 or 100. Null when the whole is zero. */
export function formatShare(part: number | bigint, whole: number | bigint): string | null {
  const [a, b] = [Number(part), Number(whole)];
  if (b === 0) return null;
  const percent = (a / b) * 100;
  if (percent > 0 && percent < 1) return "<1 %";
  if (percent < 100 && percent > 99) return ">99 %";
  return `${Math.round(percent)} %`;
}

/** "1 call", "12 calls". */
export const plural = (count: number | bigint, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
