/** `npm run db:generate`: the Prisma client, when prisma/schema.prisma has changed. */
import { checkNode, prepare } from "./prepare.mjs";
import { main } from "./project.mjs";

await main(async () => {
  checkNode();
  await prepare();
});
