/** The reader of settings files. It has an index of its own: programs that run with an agent load none of its parsers. */
export { parseSettings, UnreadableSettings } from "./parse-settings.ts";
export { parseYamlSettings } from "./parse-yaml.ts";
export { isObject, type JsonObject, plain } from "./values.ts";
