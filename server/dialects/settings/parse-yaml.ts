/** The reader for YAML settings. It is a separate file so that programs that read no YAML are built without the parser. */
import { parse } from "yaml";
import { UnreadableSettings } from "./parse-settings.ts";
import { isObject, type JsonObject, plain } from "./values.ts";

/** The limit on aliases: YAML can repeat a part by reference without end. */
const ALIASES_MAX = 100;

/** Errors: `UnreadableSettings`, and the parser's own errors. */
export function parseYamlSettings(text: string): JsonObject {
  const value = plain(parse(text, { maxAliasCount: ALIASES_MAX }));
  if (isObject(value)) return value;
  throw new UnreadableSettings("it holds no mapping");
}
