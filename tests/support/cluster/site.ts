import { addChannel, addToken, ConsoleClient, setUpSite } from '../console-client.ts';
import { eventually } from '../product.ts';

export type Customer = Readonly<{ client: ConsoleClient; userId: number; key: string }>;
export type Site = Readonly<{ admin: ConsoleClient; customers: readonly Customer[] }>;

const startQuota = 50_000_000;

const addCustomer = async (url: string, admin: ConsoleClient, n: number): Promise<Customer> => {
  const username = `customer${n}`;
  const password = `horse-battery-${n}`;
  await admin.ok('POST', '/api/user/', { username, password, display_name: username });
  const client = new ConsoleClient(url);
  await eventually(() => client.login(username, password));
  const { key } = await addToken(client);
  return { client, userId: client.userId, key };
};

/** A site with one channel, and customers whose accounts lie in different partitions. */
export const setUpCustomers = async (
  url: string,
  providerUrl: string,
  count: number,
): Promise<Site> => {
  const admin = await setUpSite(url);
  const value = String(startQuota);
  await admin.ok('PUT', '/api/option/', { key: 'QuotaForNewUser', value });
  await addChannel(admin, providerUrl);
  const customers: Customer[] = [];
  for (let n = 1; n <= count; n += 1) customers.push(await addCustomer(url, admin, n));
  return { admin, customers };
};
