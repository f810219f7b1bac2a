import { effectiveOptions } from '../../domain/option/read.ts';
import type { optionApi } from '../contract/option.ts';
import type { siteApi } from '../contract/status.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { type Handlers, ok } from '../http/routes.ts';
import { createOptionState, isSiteSetUp } from './queries.ts';
import { optionRows } from './rows.ts';
import { publicStatusOf } from './status.ts';
import type { OptionListSchema } from './table.ts';

export type SiteFacts = Readonly<{
  /** Of the product, for the public status. */
  version: string;
  /** Unix seconds. */
  startTime: number;
  isRootThere: () => Promise<boolean>;
}>;

export const optionRoutes = (
  { db: anyDb }: ReadDeps,
  site: SiteFacts,
): Handlers<typeof siteApi & typeof optionApi> => {
  const db = anyDb.withTables<OptionListSchema>();
  const state = createOptionState(db);
  const text = async (key: string) => ok(effectiveOptions((await state()).values).get(key) ?? '');
  return {
    'GET /api/option/': async () => ok(optionRows(await state())),
    'GET /api/status': async () => {
      const { version, startTime } = site;
      const setup = await isSiteSetUp(db);
      return ok(publicStatusOf(await state(), { version, startTime, setup }));
    },
    'GET /api/status/test': async ({ language }) => {
      await isSiteSetUp(db);
      const message = language === 'zh' ? '服务运行正常' : 'The service is running';
      return { data: null, message };
    },
    'GET /api/setup': async () => {
      const isSetUp = await isSiteSetUp(db);
      return ok({
        status: isSetUp,
        root_init: !isSetUp && (await site.isRootThere()),
        database_type: isSetUp ? '' : 'postgres',
      });
    },
    'GET /api/notice': () => text('Notice'),
    'GET /api/about': () => text('About'),
    'GET /api/home_page_content': () => text('HomePageContent'),
  };
};
