/** Readers of a stored input: the words of a prompt, the arguments of a call, the files it touches. */

export type Input = Readonly<Record<string, unknown>>;

/** A stored input, null when it was cut or erased. */
export function parseInput(text: string | null): Input | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  return isMembers(value) ? value : null;
}

// Holds: an object that is not an array has members of unknown types.
const isMembers = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const argumentsOf = (input: Input | null): Input | null =>
  input !== null && isMembers(input.tool_input) ? input.tool_input : null;

/** The prompts in an event's input. */
export function promptsOf(input: Input | null): string[] {
  const { prompt, steering_messages: messages } = input ?? {};
  const all = Array.isArray(messages) ? messages : [prompt];
  return all.filter((one): one is string => typeof one === "string" && one.trim() !== "");
}

const wordsOf = (tool: string): string[] =>
  tool
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

const READS = new Set(["read", "view", "open", "cat"]);
const ASKS = new Set(["user_prompt", "ask_user", "AskUserQuestion"]);
/** `read_file`, `Read`, `filesystem_view`: a tool that reads a file, by its name. */
export const isFileReadTool = (tool: string): boolean => wordsOf(tool).some((word) => READS.has(word));
/** A tool through which the agent asks the person something. */
export const isQuestionTool = (tool: string): boolean => ASKS.has(tool);

const PATHS = ["path", "file_path", "filePath", "filename", "file", "notebook_path"];
const PATH_CHARACTERS_MAX = 400;

/** The files a call names. */
export function pathsOf(args: Input | null): string[] {
  if (args === null) return [];
  const many = Array.isArray(args.paths) ? args.paths : [];
  return [...PATHS.map((name) => args[name]), ...many].filter(
    (one): one is string => typeof one === "string" && one !== "" && one.length <= PATH_CHARACTERS_MAX,
  );
}

export function commandOf(args: Input | null): string | null {
  const said = args?.cmd ?? args?.command;
  return typeof said === "string" && said.trim() !== "" ? said.trim() : null;
}

export function questionOf(args: Input | null): string | null {
  const said = args?.message ?? args?.question ?? args?.prompt;
  return typeof said === "string" ? said : null;
}

/** Arguments as one text, independent of the order of their members. */
export function callFingerprint(tool: string, args: Input): string {
  return `${tool} ${JSON.stringify(sorted(args))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

const WORDS_MIN = 3;

/**
 * A question in its form for comparison: without letter case, punctuation and blanks. Null for "yes", "go on" and the
 * like.
 */
export function normaliseQuestion(question: string): string | null {
  const words = question
    .slice(0, 4_000)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.length < WORDS_MIN ? null : words.join(" ");
}
