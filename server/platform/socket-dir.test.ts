import { describe, expect, it } from "vitest";
import { databaseSocketDirs } from "./socket-dir.ts";

describe("the directory of the database's socket", () => {
  it.each([
    "postgresql://user@localhost/db?host=/srv/sockets",
    "postgresql://user@localhost/db?host=%2Fsrv%2Fsockets&port=5433",
    "postgresql:///db?host=/srv/sockets",
    "postgresql://user@%2Fsrv%2Fsockets/db",
    "postgresql://user:word@%2Fsrv%2Fsockets:5433/db",
    "socket:/srv/sockets?db=db",
  ])("is found in %s", (url) => {
    expect(databaseSocketDirs(url)).toEqual(["/srv/sockets"]);
  });

  it.each(["postgresql://user@localhost:5432/db", "postgresql://user@db.example.org/db?host=10.0.0.1"])(
    "is none in %s",
    (url) => {
      expect(databaseSocketDirs(url)).toEqual([]);
    },
  );
});
