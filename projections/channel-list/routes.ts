import { labelOf, providers } from '../../domain/channel/catalogue.ts';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { usableGroupsOf } from '../../domain/pricing/groups.ts';
import { groupRatioOf, isPriced, listedPrice } from '../../domain/pricing/quote.ts';
import type { CatalogueModel, ChannelRow, channelApi, ModelsByType } from '../contract/channel.ts';
import type { PricingRow, pricingApi } from '../contract/pricing.ts';
import { currentPrices } from '../http/prices.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import {
  enabledAbilities,
  everyChannel,
  findChannel,
  listChannels,
  listTaggedChannels,
  videoModels,
} from './queries.ts';
import type { ChannelListRow, ChannelListSchema } from './table.ts';
import { channelTypesOnWire } from './types.ts';

export const toWire = (row: ChannelListRow): ChannelRow => {
  const { status_reason, status_time, ...shown } = row;
  return {
    ...shown,
    key: '',
    auto_ban: row.auto_ban ? 1 : 0,
    other_info: status_time === 0 ? '' : JSON.stringify({ status_reason, status_time }),
  };
};

/** Unix seconds, as in other gateways; nothing depends on it. */
const catalogueCreated = 1_626_777_600;

const builtInModels = (): CatalogueModel[] => {
  const models = new Map<string, CatalogueModel>();
  // The lowest type owns a model that several offer.
  const byId = [...providers].sort((a, b) => a.id - b.id);
  for (const provider of byId) {
    for (const id of provider.models) {
      if (models.has(id)) continue;
      const object = 'model' as const;
      const created = catalogueCreated;
      models.set(id, {
        id,
        object,
        created,
        owned_by: labelOf(provider, 'zh'),
        permission: [],
        root: id,
        parent: null,
      });
    }
  }
  return [...models.values()];
};

const modelsByType = (): ModelsByType =>
  Object.fromEntries(providers.map(({ id, models }) => [String(id), [...models]]));

const groupsWithin = (
  groups: ReadonlySet<string>,
  usable: ReadonlyMap<string, string>,
): readonly string[] => [...groups].filter((group) => usable.has(group)).sort();

type Offer = Readonly<{ model: string; groups: readonly string[]; bySecond: boolean }>;

const pricingRow = (prices: PriceTable, { model, groups, bySecond }: Offer): PricingRow => {
  const listed = listedPrice(prices, model);
  const shared = {
    model_name: model,
    has_price: prices.selfUseMode || isPriced(prices, model),
    by_second: bySecond,
    owner_by: '',
    enable_groups: [...groups],
  };
  return listed.kind === 'price'
    ? {
        ...shared,
        quota_type: 1,
        model_ratio: 0,
        completion_ratio: 0,
        model_price: Number(listed.modelPrice),
      }
    : {
        ...shared,
        quota_type: 0,
        model_ratio: Number(listed.modelRatio),
        completion_ratio: Number(listed.completionRatio),
        model_price: 0,
      };
};

export const channelRoutes = ({
  db: anyDb,
  lookups,
}: ReadDeps): Handlers<typeof channelApi & typeof pricingApi> => {
  const db = anyDb.withTables<ChannelListSchema>();
  return {
    'GET /api/channel/': async ({ query }) => {
      const { p, page_size, id_sort, tag_mode } = query;
      const list = tag_mode ? listTaggedChannels : listChannels;
      const page = { number: p, size: page_size };
      return ok((await list(db, everyChannel, { idSort: id_sort, page })).map(toWire));
    },
    'GET /api/channel/search': async ({ query }) => {
      const { id_sort, tag_mode, ...search } = query;
      const list = tag_mode ? listTaggedChannels : listChannels;
      return ok((await list(db, search, { idSort: id_sort })).map(toWire));
    },
    'GET /api/channel/models': async () => ok(builtInModels()),
    'GET /api/channel/types': async () => ok(channelTypesOnWire),
    'GET /api/models': async () => ok(modelsByType()),
    'GET /api/channel/models_enabled': async () =>
      ok([...(await enabledAbilities(db)).keys()].sort()),
    'GET /api/channel/:id': async ({ params }) => {
      const row = await findChannel(db, params.id);
      if (row === null) throw new RefusedError('channel.unknown');
      return ok(toWire(row));
    },
    'GET /api/user/models': async ({ caller }) => {
      const usable = usableGroupsOf(await currentPrices(lookups), caller.group);
      const abilities = await enabledAbilities(db);
      const names = [...abilities].filter(([, groups]) => [...groups].some((g) => usable.has(g)));
      return ok(names.map(([name]) => name).sort());
    },
    'GET /api/pricing': async ({ visitor }) => {
      const prices = await currentPrices(lookups);
      const usable = usableGroupsOf(prices, visitor?.group ?? 'default');
      const [abilities, videos] = await Promise.all([enabledAbilities(db), videoModels(db)]);
      const rows = [...abilities]
        .map(([model, groups]) =>
          pricingRow(prices, {
            model,
            groups: groupsWithin(groups, usable),
            bySecond: videos.has(model),
          }),
        )
        .filter(({ enable_groups }) => enable_groups.length > 0);
      const ratios = [...usable.keys()]
        .filter((group) => prices.groupRatio.has(group))
        .map((group) => [group, Number(groupRatioOf(prices, group))] as const);
      return {
        data: rows.sort((a, b) => (a.model_name < b.model_name ? -1 : 1)),
        group_ratio: Object.fromEntries(ratios),
        usable_group: Object.fromEntries(usable),
      };
    },
  };
};
