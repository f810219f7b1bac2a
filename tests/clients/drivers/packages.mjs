import { register } from 'node:module';

/** Drivers take their packages from the folder into which `npm run test:clients` installs them. */
const folder = new URL('../../../.cache/clients/driver.mjs', import.meta.url).href;
const hooks = `export const resolve = (name, context, next) =>
  next(name, context.parentURL?.includes('/tests/clients/drivers/') && !/^(\\.|node:|file:|data:)/.test(name)
    ? { ...context, parentURL: ${JSON.stringify(folder)} }
    : context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
