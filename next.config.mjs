/** The pages only: everything an agent calls is served by the gateway in front (server/gateway). */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // Native or self-locating packages: loaded by Node from node_modules, not bundled.
  serverExternalPackages: ["pg", "pino", "@prisma/client", "@prisma/adapter-pg"],
};

export default config;
