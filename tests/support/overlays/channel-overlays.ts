import { channelAdd, channelEdit, paths } from '../../../console/shared/paths.ts';
import { alert, choices, dialog, drawer, type Overlay, popover } from './kinds.ts';
import { button, css, fill, item, key, rowMenu, type Step, selectRow } from './steps.ts';

const channelDrawer = 'features/channel/components/channel-drawer';
const tagged = `${paths.channel}?tags=1`;
const inDrawer = (selector: string) => `.tg-drawer ${selector}`;
/** Changes the first number of a tag. */
const newPriority: Step = async (page) => {
  await page.locator('tbody .number-cell input').first().fill('7');
  await page.keyboard.press('Enter');
};
export const channelOverlays: readonly Overlay[] = [
  {
    name: 'channel: new',
    of: [`${channelDrawer} SideDrawer`],
    path: channelAdd,
    steps: [],
    shown: drawer,
  },
  {
    name: 'channel: edit',
    of: [`${channelDrawer} SideDrawer`, `${channelDrawer} LoadingDrawer`],
    path: channelEdit(1),
    steps: [],
    shown: inDrawer('input'),
  },
  {
    name: 'channel: question about a version in the address',
    of: [`${channelDrawer} Question`],
    path: channelEdit(1),
    steps: [
      fill('channel:base-url', 'https://example.org/v1'),
      fill('channel:key', 'sk-other'),
      css(inDrawer('[type=submit]')),
    ],
    shown: alert,
  },
  {
    name: 'channel: edits that would be lost',
    of: [`${channelDrawer} SideDrawer`],
    path: channelEdit(1),
    steps: [fill('channel:name', 'other'), key('Escape')],
    shown: alert,
  },
  {
    name: 'channel: providers',
    of: ['features/channel/components/provider-fields Combobox'],
    path: channelAdd,
    steps: [css(inDrawer('input[role=combobox]'))],
    shown: choices,
  },
  {
    name: 'channel: models',
    of: ['features/channel/components/models-field MultiPicker'],
    path: channelAdd,
    steps: [css(inDrawer('.bp6-tag-input input[role=combobox]'))],
    shown: choices,
  },
  {
    name: 'channel: groups',
    of: ['features/channel/components/routing-fields MultiPicker'],
    path: channelAdd,
    steps: [css(inDrawer('.bp6-tag-input input[role=combobox] >> nth=1'))],
    shown: choices,
  },
  {
    name: 'channel: menu',
    of: ['features/channel/components/channel-actions RowMenu'],
    path: paths.channel,
    steps: [rowMenu()],
    shown: popover,
  },
  {
    name: 'channel: test with a model',
    of: ['features/channel/components/test-dialog Dialog'],
    path: paths.channel,
    steps: [button('channel:test-with')],
    shown: dialog,
  },
  {
    name: 'channels: acts over all',
    of: ['features/channel/components/batch-bar RowMenu'],
    path: paths.channel,
    steps: [button('channel:all-channels')],
    shown: popover,
  },
  {
    name: 'channels: question before all are tested',
    of: ['features/channel/components/batch-bar RowMenu'],
    path: paths.channel,
    steps: [button('channel:all-channels'), item('channel:test-all')],
    shown: dialog,
  },
  {
    name: 'channels: tag of the selected ones',
    of: ['features/channel/components/batch-bar Dialog'],
    path: paths.channel,
    steps: [selectRow(), button('channel:batch-tag')],
    shown: dialog,
  },
  {
    name: 'channels: deletion of the selected ones',
    of: ['features/channel/components/batch-bar ConfirmPopover'],
    path: paths.channel,
    steps: [selectRow(), button('channel:delete-selected')],
    shown: popover,
  },
  {
    name: 'tag: edit',
    of: ['features/channel/components/tag-drawer SideDrawer'],
    path: tagged,
    steps: [button('common:edit')],
    shown: drawer,
  },
  {
    name: 'tag: menu',
    of: ['features/channel/components/tag-cells RowMenu'],
    path: tagged,
    steps: [rowMenu()],
    shown: popover,
  },
  {
    name: 'tag: models',
    of: ['features/channel/components/tag-drawer MultiPicker'],
    path: tagged,
    steps: [button('common:edit'), css(inDrawer('input[role=combobox]'))],
    shown: choices,
  },
  {
    name: 'tag: question before all its channels change',
    of: ['features/channel/components/tag-cells Question'],
    path: tagged,
    only: 'desktop',
    steps: [newPriority],
    shown: alert,
  },
];
