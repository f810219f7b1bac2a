import { benchLedger } from './ledger-bench.ts';

/* The ledger half of `npm run bench`, from the build and with the flags that the product runs with. */
process.send?.(await benchLedger());
process.exit(0);
