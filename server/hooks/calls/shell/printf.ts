/** The output of `echo` and `printf`, if it is constant. Pure. */

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  '"': '"',
  "'": "'",
};

/** Backslash escapes as `printf` and `echo -e` read them. */
export function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3})|(.))/gs,
    (all: string, hex?: string, short?: string, long?: string, octal?: string, char?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
      return ESCAPES[char ?? ""] ?? all;
    },
  );
}

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

/** Null for a program or option with unknown output. */
export function outputOf(program: string, args: readonly string[]): string | null {
  if (program === "echo") return echoed(args);
  if (program === "printf") return printed(args);
  return null;
}

function echoed(args: readonly string[]): string {
  let from = 0;
  let isDecoded = false;
  for (; /^-[neE]+$/.test(args[from] ?? ""); from += 1) isDecoded = (args[from] ?? "").includes("e");
  const text = args.slice(from).join(" ");
  return isDecoded ? decodeEscapes(text) : text;
}

const CONVERSION = /%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z]))/g;

function printed([first, ...rest]: readonly string[]): string | null {
  const [format, ...values] = first === "--" ? rest : [first, ...rest];
  if (format === undefined) return null;
  const decoded = decodeEscapes(format);
  const conversions = [...decoded.matchAll(CONVERSION)].filter(([, kind]) => kind !== undefined);
  if (conversions.some(([, kind]) => kind === undefined || !"sbqdiuxXoc".includes(kind))) return null;
  let output = "";
  let next = 0;
  do {
    output += decoded.replace(CONVERSION, (_, kind?: string) => {
      if (kind === undefined) return "%";
      const value = values[next++] ?? "";
      if (kind === "b") return decodeEscapes(value);
      return kind === "x" || kind === "X" || kind === "o" || kind === "c" ? converted(kind, value) : value;
    });
  } while (next < values.length && conversions.length > 0);
  return output;
}

function converted(kind: string, value: string): string {
  if (kind === "c") return value.slice(0, 1);
  return Number(value).toString(kind === "o" ? 8 : 16);
}
