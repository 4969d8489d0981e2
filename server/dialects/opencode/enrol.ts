/** The files that enrol opencode: our plugin, which speaks native words, and for every user the settings that name it. */
import { type EnrolmentFile, type EnrolmentOptions, jsonFile, keyFiles, type Scope } from "../enrolment.ts";
import { pluginText } from "./plugin-text.ts";

const PATHS: Record<Scope, string> = {
  project: ".opencode/plugin/quarterdeck.js",
  user: "~/.config/opencode/plugin/quarterdeck.js",
  managed: "/etc/opencode/quarterdeck.js",
};

export function enrolOpencode(options: EnrolmentOptions): EnrolmentFile[] {
  const path = PATHS[options.scope];
  const plugin = { path, mode: 0o644, content: pluginText(options) };
  const settings = { plugin: [`file://${path}`] };
  const managed = options.scope === "managed" ? [jsonFile("/etc/opencode/opencode.json", settings, "jsonc")] : [];
  return [plugin, ...managed, ...keyFiles(options)];
}
