/** Scripts and style sheets of a build as it compressed them: smaller than what can be compressed while a page waits. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { RequestHandler } from "../start.ts";

const ADDRESS = "/_next/static/";
const ENDING = ".br";
const TYPES: Readonly<Record<string, string>> = {
  js: "application/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
};

interface CompressedFile {
  readonly path: string;
  readonly type: string;
  readonly bytes: number;
}

/** The handler, which passes every other request to `pages`. `folder` is the build's `static`; it may be absent. */
export async function createCompressedFiles(folder: string, pages: RequestHandler): Promise<RequestHandler> {
  const files = await listFiles(folder);
  return async (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const file = isRead && acceptsBrotli(request.headers["accept-encoding"]) ? files.get(request.url ?? "") : undefined;
    if (file === undefined) return pages(request, response);
    response.writeHead(200, {
      "content-type": file.type,
      "content-encoding": "br",
      "content-length": file.bytes,
      // The name has a hash of the content.
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    if (request.method === "HEAD") return void response.end();
    // A client that goes away, or a file that cannot be read, ends the response.
    await pipeline(createReadStream(file.path), response).catch(() => response.destroy());
  };
}

/** By address. Only these are served, so no address reaches another file. */
async function listFiles(folder: string): Promise<ReadonlyMap<string, CompressedFile>> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = new Map<string, CompressedFile>();
  for (const name of names) {
    const type = TYPES[/\.(\w+)\.br$/.exec(name)?.[1] ?? ""];
    if (type === undefined) continue;
    const path = join(folder, name);
    files.set(ADDRESS + name.slice(0, -ENDING.length), { path, type, bytes: (await stat(path)).size });
  }
  return files;
}

/** True if the header names `br` with a quality above zero. */
function acceptsBrotli(header: string | string[] | undefined): boolean {
  const codings = String(header ?? "").split(",");
  return codings.some((coding) => /^\s*br\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?$/i.test(coding));
}
