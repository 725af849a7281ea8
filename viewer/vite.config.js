import { defineConfig } from "vite";

// One script for the pages; with `--mode tests`, the parts without a page as a module for node.
export default defineConfig(({ mode }) =>
  mode === "tests"
    ? {
        build: {
          outDir: "node_modules/.abut-tests",
          lib: { entry: "src/core.ts", formats: ["es"], fileName: () => "core.js" },
          minify: false,
        },
        logLevel: "warn",
      }
    : {
        build: {
          target: "es2021",
          lib: { entry: "src/main.ts", formats: ["iife"], name: "abut_viewer", fileName: () => "viewer.js" },
          sourcemap: false,
          reportCompressedSize: false,
        },
        // Licence comments stay in the script.
        esbuild: { legalComments: "inline", charset: "ascii" },
      },
);
