import { ledgerOf, paths } from '../../../console/shared/paths.ts';
import { dialog, drawer, type Overlay, popover } from './kinds.ts';
import { button, css, fill, item, openRow, selectRow } from './steps.ts';

type ListPlan = Readonly<{
  name: string;
  file: string;
  path: string;
  has: readonly ('filter' | 'range' | 'calendar' | 'columns' | 'row' | 'export')[];
}>;

const parts: Readonly<
  Record<ListPlan['has'][number], Omit<Overlay, 'path' | 'of'> & { of: string }>
> = {
  filter: {
    name: 'filters',
    of: 'ListToolbar',
    steps: [button('common:add-filter')],
    shown: popover,
  },
  range: {
    name: 'time ranges',
    of: 'TimeRangePicker',
    steps: [button('common:range.button')],
    shown: popover,
  },
  calendar: {
    name: 'calendar',
    of: 'TimeRangePicker',
    steps: [button('common:range.button'), item('common:range.custom')],
    shown: '.bp6-datepicker, .bp6-daterangepicker, .rdp',
  },
  columns: {
    name: 'columns',
    of: 'useColumnChoice',
    only: 'desktop',
    steps: [button('common:columns')],
    shown: dialog,
  },
  row: { name: 'row', of: 'detail', steps: [openRow], shown: drawer },
  export: {
    name: 'export',
    of: 'ExportButton',
    steps: [button('common:export')],
    shown: popover,
  },
};

const lists: readonly ListPlan[] = [
  {
    name: 'usage',
    file: 'usage-log/screens/log',
    path: paths.log,
    has: ['filter', 'range', 'calendar', 'columns', 'row'],
  },
  {
    name: 'ledger',
    file: 'ledger/screens/ledger',
    path: paths.ledger,
    has: ['range', 'columns', 'row', 'export'],
  },
  {
    name: 'audit',
    file: 'audit/screens/audit',
    path: paths.audit,
    has: ['filter', 'range', 'row', 'export'],
  },
  {
    name: 'drawings',
    file: 'drawing/screens/drawings',
    path: paths.drawing,
    has: ['filter', 'range', 'columns'],
  },
  {
    name: 'tasks',
    file: 'task/screens/tasks',
    path: paths.task,
    has: ['filter', 'range', 'columns'],
  },
  {
    name: 'channels',
    file: 'channel/screens/channels',
    path: paths.channel,
    has: ['filter', 'columns'],
  },
  { name: 'users', file: 'user/screens/users', path: paths.user, has: ['filter', 'columns'] },
  { name: 'API keys', file: 'token/screens/tokens', path: paths.token, has: ['filter', 'columns'] },
  {
    name: 'codes',
    file: 'redemption/screens/redemptions',
    path: paths.redemption,
    has: ['columns'],
  },
  {
    name: 'orders',
    file: 'reconciliation/components/all-orders',
    path: paths.reconciliation,
    has: ['filter'],
  },
  { name: 'prices', file: 'pricing/screens/pricing', path: paths.pricing, has: ['columns'] },
  {
    name: 'dashboard',
    file: 'dashboard/screens/dashboard',
    path: paths.dashboard,
    has: ['filter', 'range', 'calendar'],
  },
  { name: 'jobs', file: 'job/screens/jobs', path: paths.jobs, has: ['row'] },
];

const ofLists: readonly Overlay[] = lists.flatMap(({ name, file, path, has }) =>
  has.map((part): Overlay => {
    const { of, ...rest } = parts[part];
    const isFirst = lists.find((list) => list.has.includes(part))?.name === name;
    return {
      ...rest,
      isLikeOthers: !isFirst && part !== 'row',
      name: `${name}: ${rest.name}`,
      of: [`features/${file} ${of}`],
      path,
    };
  }),
);

export const listOverlays: readonly Overlay[] = [
  ...ofLists,
  {
    name: 'usage: export',
    of: ['features/usage-log/components/log-export ExportMenu'],
    path: paths.log,
    steps: [button('common:export')],
    shown: popover,
  },
  {
    name: 'usage: call by its id',
    of: ['features/usage-log/components/sought-call RowDrawer'],
    path: `${paths.log}?call=20260101000000000AbCdEf0000001`,
    steps: [],
    shown: drawer,
  },
  {
    name: 'usage: user of a call',
    of: ['features/usage-log/components/user-button Dialog'],
    path: paths.log,
    only: 'desktop',
    steps: [css('tbody button.link-text')],
    shown: dialog,
  },
  {
    name: 'ledger: exact time',
    of: ['features/ledger/components/time-travel InstantPicker'],
    path: paths.ledger,
    steps: [button('ledger:as-of-field')],
    shown: '.bp6-datepicker',
  },
  {
    name: 'ledger: dispute',
    of: ['features/ledger/components/dispute-drawer SideDrawer'],
    path: `${ledgerOf(1)}?kind=RequestCharged`,
    steps: [selectRow(), button('ledger:dispute')],
    shown: drawer,
  },
  {
    name: 'ledger: confirmation of a correction',
    of: ['features/ledger/components/dispute-drawer MoneyConfirmation'],
    path: `${ledgerOf(1)}?kind=RequestCharged`,
    steps: [
      selectRow(),
      button('ledger:dispute'),
      fill('ledger:correction-delta', '100'),
      fill('ledger:correction-reason', 'cut off'),
      button('ledger:review-correction'),
    ],
    shown: dialog,
  },
];
