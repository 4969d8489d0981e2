/** The standard output of a command, if its words determine it. Pure. */
import { readWords } from "./options.ts";
import { outputOf } from "./printf.ts";
import { foundPaths } from "./unwrap.ts";
import { windowsWord } from "./windows.ts";
import type { Content, ShellWord } from "./word.ts";

const DOWNLOADERS: ReadonlySet<string> = new Set(
  "curl wget fetch http https httpie xh aria2c lynx w3m links iwr irm invoke-webrequest invoke-restmethod lwp-request gsutil".split(
    " ",
  ),
);
/** Downloader options whose value is the output file. */
const DOWNLOAD_FILES: Readonly<Record<string, readonly string[]>> = {
  curl: ["-o", "--output"],
  wget: ["-O", "--output-document"],
  aria2c: ["-o", "--out"],
  http: ["-o", "--output"],
  xh: ["-o", "--output"],
};
const isDownloader = (program: string): boolean => DOWNLOADERS.has(program);

/** The files that a downloader may write: those in its options, and the last part of each address. */
export function downloadedFiles(program: string, args: readonly ShellWord[]): string[] {
  if (!isDownloader(program)) return [];
  const names = DOWNLOAD_FILES[program] ?? [];
  const short = names.flatMap((name) => (/^-\w$/.test(name) ? [name.slice(1)] : [])).join("");
  const long = names.map((name) => name.replace(/^-+/, "")).join(" ");
  const { options, operands } = readWords(args, { short, long });
  const named = options.flatMap(({ name, value }) => (value && names.includes(name) ? [value.values[0]] : []));
  const last = operands.map(({ values: [url] }) => url.slice(url.lastIndexOf("/") + 1).split(/[?#]/)[0] ?? "");
  return [...named, ...last.filter((file) => file !== "")];
}

const DECODERS: ReadonlySet<string> = new Set(
  "base64 base32 xxd openssl gpg gunzip zcat bunzip2 bzcat xz xzcat unxz zstd zstdcat uudecode rev tac tr od hexdump basenc".split(
    " ",
  ),
);
const UNCHANGED: ReadonlySet<string> = new Set(["tee", "pv", "sponge", "buffer", "head", "tail", "sort", "uniq"]);

export interface Producer {
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly stdin: Content;
  /** The content of a file that this script wrote. */
  readonly contentOfFile: (path: string) => Content | undefined;
}

const UNKNOWN: Content = { kind: "unknown" };

/** The output of a producer; `unknown` if it cannot be determined. Never throws. */
export function contentOf({ program, args, stdin, contentOfFile }: Producer): Content {
  const texts = args.map(({ values: [value] }) => value);
  if (args.every(({ isKnown }) => isKnown)) {
    const output = outputOf(program, texts);
    if (output !== null) return { kind: "text", text: output };
  }
  if (isDownloader(program)) return { kind: "download" };
  if (program === "cat") return catenated(args, stdin, contentOfFile);
  if (/^(?:get-childitem|gci|dir)$/.test(program)) return listed(args);
  if (program === "find")
    return {
      kind: "text",
      text: foundPaths(args)
        .map(({ values: [value] }) => value)
        .join("\n"),
    };
  if (program === "base64" && stdin.kind === "text" && texts.some((text) => /^(?:-[dD]|--decode)/.test(text)))
    return decoded(stdin.text);
  if (UNCHANGED.has(program)) return stdin;
  if (stdin.kind === "download") return stdin;
  if (DECODERS.has(program)) return { kind: "encoded" };
  return UNKNOWN;
}

/** The listed folders themselves: their entries are unknown. */
function listed(args: readonly ShellWord[]): Content {
  const folders = args.map(windowsWord).filter(({ values: [value] }) => !/^-|^\/[a-z]$/.test(value));
  if (folders.some(({ isKnown }) => !isKnown)) return UNKNOWN;
  return { kind: "text", text: folders.length === 0 ? "." : folders.map(({ values: [value] }) => value).join("\n") };
}

function catenated(args: readonly ShellWord[], stdin: Content, contentOfFile: Producer["contentOfFile"]): Content {
  const { operands } = readWords(args, {});
  if (operands.length === 0) return stdin;
  const contents = operands.map((word) =>
    word.values[0] === "-" ? stdin : (word.content ?? contentOfFile(word.values[0]) ?? UNKNOWN),
  );
  const [only] = contents;
  if (only && contents.length === 1) return only;
  const texts = contents.flatMap((content) => (content.kind === "text" ? [content.text] : []));
  return texts.length === contents.length ? { kind: "text", text: texts.join("") } : UNKNOWN;
}

function decoded(text: string): Content {
  try {
    return {
      kind: "text",
      text: new TextDecoder().decode(Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0))),
    };
  } catch {
    return { kind: "encoded" };
  }
}
