/** For an image: exit 0 while the server in this container is ready. A container without a port of its own sets no health check. */
const port = process.env.PORT || "3000";
const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => null,
);
process.exit(response?.ok ? 0 : 1);
