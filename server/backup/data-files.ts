/**
 * The files of a backup that belong in the data directory. Each is first written next to its target; then all are moved
 * into place together.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UNFINISHED_RESTORE } from "../database/index.ts";
import { BackupError, type Manifest } from "./manifest.ts";

export interface DataFiles {
  /** Streams one file into a temporary file. Errors: a `BackupError` when it differs from the manifest. */
  take(listed: Manifest["files"][number], content: AsyncIterable<unknown>): Promise<void>;
  /** Moves every file into place; none may exist there. Errors: a `BackupError`; then no file is in place. */
  place(): Promise<void>;
  /** Removes the temporary files. */
  discard(): Promise<void>;
}

export async function receiveDataFiles(dataDir: string, bytesMax: number): Promise<DataFiles> {
  const staging = await mkdtemp(join(dataDir, UNFINISHED_RESTORE));
  const taken: string[] = [];
  let bytes = 0;

  const measured = (hash: ReturnType<typeof createHash>) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        hash.update(chunk);
        if (bytes > bytesMax) done(new BackupError(`The backup's files have more than ${bytesMax} bytes together.`));
        else done(null, chunk);
      },
    });

  return {
    async take({ name, sha256 }, content) {
      const hash = createHash("sha256");
      const file = createWriteStream(join(staging, String(taken.length)), { flags: "wx", mode: 0o600, flush: true });
      await pipeline(Readable.from(content), measured(hash), file);
      if (hash.digest("hex") !== sha256) throw new BackupError(`${name} was changed after the backup was written.`);
      taken.push(name);
    },
    async place() {
      const placed: string[] = [];
      try {
        for (const [index, name] of taken.entries()) {
          const path = join(dataDir, name);
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          // Unlike a rename, a link never takes the place of a file.
          await link(join(staging, String(index)), path);
          placed.push(path);
        }
      } catch (error) {
        for (const path of placed) await rm(path, { force: true });
        throw new BackupError(
          `A file of the backup could not be put in its place (${error instanceof Error ? error.message : error}).`,
        );
      }
    },
    discard: () => rm(staging, { recursive: true, force: true }),
  };
}
