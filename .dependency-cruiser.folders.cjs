/** Folders of server/ form layers. Apart from .dependency-cruiser.cjs, because tests may reach into any layer and are left out here. */
module.exports = {
  forbidden: [
    {
      name: "no-folder-cycles",
      comment: "A folder that imports another is above it, types included: move down what both need.",
      severity: "error",
      scope: "folder",
      from: { path: "^server/[^/]+$" },
      to: { path: "^server/[^/]+$", circular: true },
    },
  ],
  options: {
    includeOnly: "^server/",
    exclude: "\\.test\\.tsx?$|/testing/|^server/hooks/conformance/",
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
