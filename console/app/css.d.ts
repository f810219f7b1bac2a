/** Style sheets are for the bundler; the compiler only needs to know that they may be imported. */
declare module '*.css';

interface ImportMeta {
  /** Filled in by the bundler. */
  readonly env: Readonly<{ DEV: boolean }>;
}
