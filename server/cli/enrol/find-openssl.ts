/** True when the machine that is enrolled has openssl, with which relays check the signatures of answers. */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";

/** The relay's search order: the system's folders, then those of the caller. */
const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"];

/** `root` is the folder of an image that is built; its programs are meant then, not ours. */
export async function findOpenssl(path: string | undefined, root: string | undefined): Promise<boolean> {
  const folders = root === undefined ? [...FOLDERS, ...(path ?? "").split(":").filter((one) => one !== "")] : FOLDERS;
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(root ?? "/", folder, "openssl"), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
