/** The verbs that read the record as streams send it. */
import { type Command, Option } from "commander";
import { EVENT_KIND_NAMES, MASKING_LEVELS, STREAM_FORMATS } from "../streams/schema.ts";
import { every } from "./option-values.ts";
import type { TailOptions } from "./stream-tail.ts";

export function describeStream(stream: Command): void {
  stream.description("events of the record, in its order, for a pipe or a SIEM");
  stream
    .command("tail")
    .description("print events as lines of JSON, as they are recorded")
    .option("--from <place>", "start, or the place after which to begin, such as 1042.3; the next event otherwise")
    .option("--cursor <file>", "keep the place in this file, and go on from it")
    .addOption(
      new Option("--kind <kind>", "only this kind; may be repeated")
        .choices(EVENT_KIND_NAMES)
        .argParser(every)
        .default([]),
    )
    .addOption(new Option("--format <format>", "the format of events").choices(STREAM_FORMATS).default("quarterdeck"))
    .addOption(new Option("--masking <level>", "the texts that events have").choices(MASKING_LEVELS).default("masked"))
    .option("--once", "stop at the end of the record", false)
    .action(async (options: TailOptions) => (await import("./stream-tail.ts")).tail(options));
  stream
    .command("check")
    .description("compare a stream with the record by count and hash; with files, what a receiver has")
    .argument("<name>", "the stream's name or id")
    .argument("[file...]", "lines of JSON that the receiver has, in either format")
    .option("--json", "the whole result, for a script", false)
    .action(async (name: string, files: string[], options: { json: boolean }) =>
      (await import("./stream-check.ts")).check(name, files, options),
    );
}
