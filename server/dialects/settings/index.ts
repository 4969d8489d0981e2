/** The public module for reading settings files. It is separate so that programs that run with an agent do not load its parsers. */
export { parseSettings, UnreadableSettings } from "./parse-settings.ts";
export { parseYamlSettings } from "./parse-yaml.ts";
export { isObject, type JsonObject, plain } from "./values.ts";
