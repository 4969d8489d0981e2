/** Converts written words to the words that programs receive: quoting, variables, substitutions, braces, word splitting. Pure. */
import { type ParameterExpansionPart, type ParsedScript, parse, type Word, type WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import { type Known, known, UNKNOWN, type Variables } from "./variables.ts";
import { type Alternatives, type Content, constantWord, FIELDS_MAX, type ShellWord, wordsFrom } from "./word.ts";

export interface WordWorld {
  readonly variables: Variables;
  /** The constant output of a substituted script; null if only a running shell knows it. */
  readonly outputOf: (script: ParsedScript | undefined) => string | null;
  /** The content of a process substitution. */
  readonly contentOf: (script: ParsedScript | undefined) => Content;
  /** Called if a word expands to more words than the limit. */
  readonly onCut: () => void;
}

/** The words that one written word expands to. */
export function readWord(word: Word, world: WordWorld): ShellWord[] {
  const { parts, text, value } = word;
  if (parts === undefined) return [constantWord(withHome(text, value), text)];
  if (parts.some(({ type }) => type === "BraceExpansion")) {
    const spread = readBraces(text, world);
    if (spread) return spread;
  }
  const [first] = parts;
  if (parts.length === 1 && first?.type === "ProcessSubstitution")
    return [{ ...constantWord("/dev/fd/63", text), content: world.contentOf(first.script) }];
  const alternatives = parts.map((part, index) => alternativesOf(part, world, index === 0));
  if (alternatives.some(isCut)) world.onCut();
  const words = wordsFrom(text, alternatives);
  const inner = first?.type === "DoubleQuoted" && parts.length === 1 ? first.parts : parts;
  const [substitution] = inner;
  if (inner.length !== 1 || substitution?.type !== "CommandExpansion") return words;
  const content = world.contentOf(substitution.script);
  return words.map((word) => (word.isKnown ? word : { ...word, content }));
}

/** True if word splitting exceeds the limit of words. */
const isCut = ({ isQuoted, texts }: Alternatives): boolean =>
  !isQuoted && texts.some((text) => text.length > FIELDS_MAX && text.split(/[ \t\n]+/).length > FIELDS_MAX);

/** Braces are expanded in the text, before anything else. */
function readBraces(text: string, world: WordWorld): ShellWord[] | null {
  const texts = expandBraces(text);
  if (texts === null) world.onCut();
  if (texts === null || (texts.length === 1 && texts[0] === text)) return null;
  return texts.flatMap((one) => {
    const command = parse(`: ${one}`).commands[0]?.command;
    const words = command?.type === "Command" ? command.args : [];
    return words.flatMap((arg) => (arg.type === "Word" ? readWord(arg, world) : [constantWord(arg.text)]));
  });
}

/** A quoted tilde is a literal file name. */
const withHome = (text: string, value: string): string =>
  value.startsWith("~") && !text.startsWith("~") ? `./${value}` : value;

function alternativesOf(part: WordPart, world: WordWorld, isFirst: boolean): Alternatives {
  const { text: source } = part;
  switch (part.type) {
    case "Literal":
      return { texts: [isFirst ? withHome(source, part.value) : part.value], isKnown: true, isQuoted: true, source };
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { texts: [isFirst ? withHome(source, part.value) : part.value], isKnown: true, isQuoted: true, source };
    case "DoubleQuoted":
    case "LocaleString":
      // `"$@"` expands to one word for each argument.
      if (part.parts.length === 1 && part.parts[0]?.type === "SimpleExpansion" && part.parts[0].text === "$@")
        return { ...expansionOf(part.parts[0], world), isQuoted: false, source };
      return quoted(part.parts, source, world);
    case "Glob":
    case "ExtendedGlob":
      return { texts: [source], isKnown: true, isQuoted: true, isPattern: true, source };
    case "BraceExpansion":
      return { texts: [source], isKnown: false, isQuoted: true, source };
    default:
      return { ...expansionOf(part, world), isQuoted: false, source };
  }
}

function quoted(parts: readonly WordPart[], source: string, world: WordWorld): Alternatives {
  let texts = [""];
  let isKnown = true;
  for (const part of parts) {
    const next = part.type === "Literal" ? known(part.value) : expansionOf(part, world);
    texts = texts.flatMap((text) => next.texts.map((more) => text + more)).slice(0, 64);
    isKnown &&= next.isKnown;
  }
  const inner = source.replace(/^\$?"|"$/g, "");
  return { texts, isKnown, isQuoted: true, source: isKnown ? source : inner };
}

function expansionOf(part: WordPart, world: WordWorld): Known {
  switch (part.type) {
    case "SimpleExpansion":
      return world.variables.get(part.text.slice(1));
    case "ParameterExpansion":
      return parameterOf(part, world);
    case "CommandExpansion": {
      const output = world.outputOf(part.script);
      return output === null ? UNKNOWN : known(output.replace(/\n+$/, ""));
    }
    default:
      return UNKNOWN;
  }
}

function parameterOf({ parameter, operation, prefix, index }: ParameterExpansionPart, world: WordWorld): Known {
  if (prefix !== undefined || index !== undefined) return UNKNOWN;
  const value = world.variables.get(parameter);
  if (operation === undefined) return value;
  switch (operation.type) {
    case "Default": {
      const operand = readWord(operation.operand, world);
      const texts = operand.flatMap(({ values }) => values);
      const isKnown = value.isKnown && operand.every((word) => word.isKnown);
      if (operation.operator.includes("?")) return value;
      if (operation.operator.includes("+")) return { texts: [...texts, ""], isKnown: false };
      // A variable that the script does not set counts as unset.
      if (value === UNKNOWN) return { texts, isKnown: operand.every((word) => word.isKnown) };
      const isSet = value.isKnown && value.texts.every((text) => text !== "");
      return isSet ? value : { texts: [...new Set([...value.texts, ...texts])], isKnown };
    }
    case "Slice": {
      const [from, length] = [Number(operation.offset.value), Number(operation.length?.value ?? Number.NaN)];
      if (Number.isNaN(from)) return UNKNOWN;
      const cut = changed(value, (text) => text.slice(from, Number.isNaN(length) ? undefined : from + length));
      // A path from the environment always begins with a slash.
      return cut.texts.every((text) => text === "/") ? { ...cut, isKnown: true } : cut;
    }
    case "Replace": {
      const { pattern, replacement, operator } = operation;
      if (/[*?[\]$]/.test(pattern.value) || operator.length > 1 !== (operator === "//")) return UNKNOWN;
      return changed(value, (text) =>
        operator === "//"
          ? text.replaceAll(pattern.value, replacement.value)
          : text.replace(pattern.value, replacement.value),
      );
    }
    case "CaseModification": {
      const isUpper = operation.operator.startsWith("^");
      if (operation.operand !== undefined) return UNKNOWN;
      return changed(value, (text) => (isUpper ? text.toUpperCase() : text.toLowerCase()));
    }
    default:
      return UNKNOWN;
  }
}

const changed = ({ texts, isKnown }: Known, change: (text: string) => string): Known => ({
  texts: texts.map(change),
  isKnown,
});
