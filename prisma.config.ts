import { defineConfig } from "prisma/config";

/** For `prisma generate` only: the server applies prisma/migrations itself (server/database/migrate.ts). */
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://127.0.0.1:5432/quarterdeck" },
});
