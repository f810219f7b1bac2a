/** `npm run test:chaos` runs the full form, `npm test` the short one. */
export const formOf = <T>({ short, full }: Readonly<{ short: T; full: T }>): T =>
  process.env.CHAOS === 'full' ? full : short;
