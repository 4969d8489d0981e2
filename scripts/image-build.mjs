/** For an image: makes everything that `npm start` makes before it serves. */
import { build, prepare } from "./prepare.mjs";
import { program } from "./programs.mjs";
import { main } from "./project.mjs";

await main(async () => {
  await prepare();
  await program("main");
  await build();
});
