import { addChannel, addToken, ConsoleClient, setUpSite } from '../support/console-client.ts';
import { eventually } from '../support/product.ts';
import { prices } from './numbered-call.ts';

type Token = Readonly<{ tokenId: number; key: string; budget: number | null }>;
export type Customer = Readonly<{
  client: ConsoleClient;
  userId: number;
  username: string;
  tokens: readonly Token[];
}>;
export type Site = Readonly<{ admin: ConsoleClient; customers: readonly Customer[] }>;

/** What a new customer has, and what is added each time that it runs out: a few calls. */
export const portion = 6_000;
/** Of the last token of each customer; the others have no limit of their own. */
const tokenBudget = 30_000;

const decimal = (milli: number): string => String(milli / 1_000);

const setPrices = async (admin: ConsoleClient): Promise<void> => {
  const ratios = { ModelRatio: 'modelMilli', CompletionRatio: 'completionMilli' } as const;
  const all = { ...ratios, CacheRatio: 'cacheMilli' } as const;
  for (const [key, field] of Object.entries(all)) {
    const lines = Object.entries(prices).map(
      ([model, price]) => `${JSON.stringify(model)}:${decimal(price[field])}`,
    );
    await admin.ok('PUT', '/api/option/', { key, value: `{${lines.join(',')}}` });
  }
};

const addCustomer = async (url: string, admin: ConsoleClient, n: number): Promise<Customer> => {
  const username = `customer${n}`;
  const password = `horse-battery-${n}`;
  await admin.ok('POST', '/api/user/', { username, password, display_name: username });
  const client = new ConsoleClient(url);
  await eventually(() => client.login(username, password));
  const tokens: Token[] = [];
  for (const budget of [null, null, tokenBudget]) {
    const terms = budget === null ? {} : { unlimited_quota: false, remain_quota: budget };
    const { id, key } = await addToken(client, terms);
    tokens.push({ tokenId: id, key, budget });
  }
  return { client, userId: client.userId, username, tokens };
};

/** A site with one channel and fixed prices; its customers can pay for a few calls each. */
export const setUpCustomers = async (
  url: string,
  providerUrl: string,
  count: number,
): Promise<Site> => {
  const admin = await setUpSite(url);
  await admin.ok('PUT', '/api/option/', { key: 'QuotaForNewUser', value: String(portion) });
  await setPrices(admin);
  await addChannel(admin, providerUrl, { models: Object.keys(prices).join(',') });
  const customers: Customer[] = [];
  for (let n = 1; n <= count; n += 1) customers.push(await addCustomer(url, admin, n));
  return { admin, customers };
};
