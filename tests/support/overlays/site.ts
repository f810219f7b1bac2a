import { chat } from '../chat.ts';
import { addChannel, addToken, ConsoleClient, setUpSite } from '../console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../product.ts';
import { type StubProvider, startStubProvider } from '../stub-provider/server.ts';

export type ConsoleSite = Readonly<{
  product: Product;
  provider: StubProvider;
  admin: ConsoleClient;
  stop: () => Promise<void>;
}>;

const seedTasks = async (url: string, key: string, admin: ConsoleClient): Promise<void> => {
  const submit = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'mj-api-secret': `sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.text();
  };
  await submit('/mj/submit/imagine', { prompt: 'a gate at dawn' });
  await submit('/mj/submit/imagine', { prompt: 'a gate that will fail' });
  await submit('/suno/submit/music', { gpt_description_prompt: 'a song of gates' });
  await eventually(async () => {
    await admin.call('POST', '/api/jobs/task-polling/run', {});
    const drawings = await admin.ok<{ progress: string }[]>('GET', '/api/mj/?p=0');
    if (drawings.length < 2 || drawings.some(({ progress }) => progress !== '100%'))
      throw new Error('still drawing');
  });
};

/** A site where each list has a row and each form its choices: what screens are tested and shown with. */
export const startConsoleSite = async (calls = 12): Promise<ConsoleSite> => {
  const provider = await startStubProvider();
  const product = await startProduct();
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const spare = { name: 'backup', priority: -5, tag: 'spare', models: 'unpriced-model' };
  await addChannel(admin, 'http://127.0.0.1:9', spare);
  const drawings = { type: 2, name: 'drawings', models: 'mj_imagine,mj_upscale' };
  await addChannel(admin, provider.url, drawings);
  await addChannel(admin, provider.url, { type: 36, name: 'music', models: 'suno_music' });
  await admin.ok('POST', '/api/user/', { username: 'ada', password: 'correct-horse' });
  await admin.ok('POST', '/api/redemption/', { name: 'gift', count: 2, quota: 500_000 });
  const options = {
    WeChatServerAddress: 'https://wechat.example.org',
    WeChatServerToken: 'example',
    WeChatAuthEnabled: 'true',
    'general_setting.releases_url': 'https://releases.example.org/latest',
  };
  for (const [key, value] of Object.entries(options)) {
    await admin.ok('PUT', '/api/option/', { key, value });
  }
  await new ConsoleClient(product.url).login('ada', 'correct-horse');
  const { key } = await addToken(admin, { name: 'my app' });
  for (let i = 0; i < calls; i += 1) {
    await chat(product.url, key, { stream: i % 2 === 0, model: i % 3 ? 'gpt-4o-mini' : 'gpt-4o' });
  }
  await seedTasks(product.url, key, admin);
  const stop = async () => {
    await product.stop();
    await provider.close();
    removeData(product);
  };
  return { product, provider, admin, stop };
};
