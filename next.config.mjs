/** The pages only: everything an agent calls is served by the gateway in front (server/gateway). */
const config = {
  // A running server keeps its own copy of the build (scripts/build.mjs), so that the next build cannot pull it away.
  distDir: process.env.QUARTERDECK_BUILD ?? ".next",
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // Hot reload under the address that npm run dev prints; localhost is allowed anyway.
  allowedDevOrigins: ["127.0.0.1"],
  // `npm run check` looks at the types of everything, once.
  typescript: { ignoreBuildErrors: true },
  // Native or self-locating packages: loaded by Node from node_modules, not bundled.
  serverExternalPackages: ["pg", "pino", "@prisma/client", "@prisma/adapter-pg", "pdfkit"],
};

export default config;
