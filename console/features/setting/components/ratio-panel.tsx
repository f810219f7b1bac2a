import { Button, InputGroup } from '@blueprintjs/core';
import { Plus, Search } from '@blueprintjs/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../../../shared/components/pager.tsx';
import type { Paging } from '../../../shared/hooks/use-paging.ts';
import type { RatioRow } from './ratio-table.ts';

/** The rows whose name contains the word, and those of them on this page. */
export const useRatioSearch = (rows: readonly RatioRow[], paging: Paging) => {
  const [keyword, setKeyword] = useState('');
  const { page, pageSize } = paging;
  const found = rows.filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase()));
  const search = (text: string) => {
    setKeyword(text);
    paging.onPage(1);
  };
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  return { keyword, search, found, shown, paging };
};

type Props = Readonly<{
  name: 'visual' | 'unset';
  search: ReturnType<typeof useRatioSearch>;
  /** Models whose numbers were edited. */
  count: number;
  isSaving: boolean;
  onAdd: () => void;
  onApply: () => void;
  onDiscard: () => void;
  /** Next to the button that adds. */
  extra?: ReactNode;
  /** What the edits would do. */
  preview?: ReactNode;
  /** The table. */
  children: ReactNode;
}>;

/** A table of models that is searched, added to, and saved as a whole. */
export const RatioPanel = ({ name, search, ...props }: Props) => {
  const { t } = useTranslation('setting');
  const { found, shown, paging } = search;
  return (
    <section className="panel" aria-label={t(name)}>
      <div className="panel-body">
        <h2 className="panel-title">{t(name)}</h2>
        <p className="subtle">{t(`${name}-lead`)}</p>
      </div>
      <div className="toolbar">
        <InputGroup
          type="search"
          leftIcon={<Search className="input-icon" />}
          aria-label={t('visual-search')}
          placeholder={t('visual-search')}
          value={search.keyword}
          onValueChange={search.search}
        />
        <Button icon={<Plus />} text={t('visual-add')} onClick={props.onAdd} />
        {props.extra}
      </div>
      {props.children}
      {found.length > 0 && <Pager {...paging} shown={shown.length} total={found.length} />}
      {props.preview}
      <div
        className={props.count > 0 ? 'button-row table-save setting-save' : 'button-row table-save'}
      >
        <Button
          intent={props.count > 0 ? 'primary' : 'none'}
          text={t('visual-apply')}
          loading={props.isSaving}
          onClick={props.onApply}
        />
        {props.count > 0 && (
          <>
            <Button
              variant="minimal"
              text={t('discard-edits')}
              disabled={props.isSaving}
              onClick={props.onDiscard}
            />
            <span aria-live="polite">{t('unsaved', { count: props.count })}</span>
          </>
        )}
      </div>
    </section>
  );
};
