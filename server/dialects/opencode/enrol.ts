/** The files that enrol opencode: our plugin, which uses the native protocol, and for all users the settings that name it. */
import { OPENCODE_PLUGINS } from "../client-files.ts";
import { type EnrolmentFile, type EnrolmentOptions, keyFiles } from "../enrolment.ts";
import { settingsFile } from "../settings-enrolment.ts";
import { pluginText } from "./plugin-text.ts";

export function enrolOpencode(options: EnrolmentOptions): EnrolmentFile[] {
  const path = OPENCODE_PLUGINS[options.scope];
  const plugin = { path, mode: 0o644, content: pluginText(options) };
  const settings = settingsFile("opencode", options, { plugin: [`file://${path}`] });
  return [plugin, ...(options.scope === "managed" ? [settings] : []), ...keyFiles(options)];
}
