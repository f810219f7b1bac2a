/**
 * Style sheets are read by the bundler; the compiler only needs the declaration that they may be
 * imported.
 */
declare module '*.css';

interface ImportMeta {
  /** Filled in by the bundler. */
  readonly env: Readonly<{ DEV: boolean }>;
}
