import { benchBooks } from './books-bench.ts';

/* The books' half of `npm run bench`, from the build and with the flags that the product runs with. */
process.send?.(await benchBooks());
process.exit(0);
