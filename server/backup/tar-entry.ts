import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Pack } from "tar-stream";

/** For the owner alone: a backup holds what people wrote, and the keys to it. */
const MODE = 0o600;

export function addText(tar: Pack, name: string, content: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: MODE }, content, (error) => (error ? reject(error) : resolve()));
  });
}

export async function addFile(tar: Pack, name: string, path: string, size: number): Promise<void> {
  await pipeline(createReadStream(path), tar.entry({ name, mode: MODE, size }));
}
