/** The function names that a template may use. The renderer implements them. */
export const TEMPLATE_FUNCTIONS = [
  "and",
  "call",
  "eq",
  "fenced",
  "ge",
  "gt",
  "html",
  "index",
  "js",
  "le",
  "len",
  "lt",
  "ne",
  "not",
  "or",
  "print",
  "printf",
  "println",
  "slice",
  "toJSON",
  "truncate",
  "urlquery",
] as const;
export type TemplateFunction = (typeof TEMPLATE_FUNCTIONS)[number];

const KNOWN: ReadonlySet<string> = new Set(TEMPLATE_FUNCTIONS);
/** Go's own functions. */
export const GO_FUNCTIONS: ReadonlySet<string> = new Set(
  TEMPLATE_FUNCTIONS.filter((name) => name !== "toJSON" && name !== "truncate" && name !== "fenced"),
);

export function isTemplateFunction(name: string): name is TemplateFunction {
  return KNOWN.has(name);
}

/** The arguments and the result of a function, for template authors. */
export const FUNCTION_WORDS: Readonly<Record<TemplateFunction, { readonly takes: string; readonly says: string }>> = {
  and: { takes: "a b …", says: "The first that is empty, else the last." },
  call: { takes: "f …", says: "Calls a function value; an input holds none." },
  eq: { takes: "a b …", says: "Whether the first equals any of the others." },
  fenced: { takes: "value", says: "The value as JSON, between two marks that no value can write." },
  ge: { takes: "a b", says: "Whether a is at least b." },
  gt: { takes: "a b", says: "Whether a is more than b." },
  html: { takes: "text …", says: "The text with HTML's own characters escaped." },
  index: { takes: "list key …", says: 'What is at a key or a place: index .ToolInput "path".' },
  js: { takes: "text …", says: "The text escaped for a JavaScript string." },
  le: { takes: "a b", says: "Whether a is at most b." },
  len: { takes: "value", says: "How long a text, list or map is; a text counts bytes." },
  lt: { takes: "a b", says: "Whether a is less than b." },
  ne: { takes: "a b", says: "Whether a differs from b." },
  not: { takes: "value", says: "Whether it is empty, false or zero." },
  or: { takes: "a b …", says: "The first that is not empty, else the last." },
  print: { takes: "value …", says: "The values as text, one after the other." },
  printf: { takes: '"format" value …', says: 'The values in a format: printf "%q" .ToolName.' },
  println: { takes: "value …", says: "The values as text with blanks between, and a line end." },
  slice: { takes: "value from to", says: "A part of a text or a list; places count from 0." },
  toJSON: { takes: "value", says: "The value as JSON, with its keys sorted." },
  truncate: { takes: "bytes text", says: "The text cut at so many bytes, with … behind." },
  urlquery: { takes: "text …", says: "The text escaped for a URL's query." },
};
