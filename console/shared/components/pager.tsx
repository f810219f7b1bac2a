import { Button, HTMLSelect } from '@blueprintjs/core';
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { pageSizes } from '../hooks/use-page-size.ts';

type Props = Readonly<{
  /** 1-based. */
  page: number;
  pageSize: number;
  /** Rows on this page; null while they are on their way. */
  shown: number | null;
  /** Null where the server does not count. */
  total: number | null;
  onPage: (page: number) => void;
  /** Absent where the server decides. */
  onPageSize?: (size: number) => void;
}>;

/** Without a total there may be a next page when this one is full. */
const lastPage = ({ page, pageSize, shown, total }: Props): number => {
  if (total !== null) return Math.max(1, Math.ceil(total / pageSize));
  return shown === pageSize ? page + 1 : page;
};

export const Pager = (props: Props) => {
  const { t } = useTranslation('common');
  const { page, pageSize, total, onPageSize } = props;
  const shown = props.shown ?? 0;
  const last = lastPage(props);
  const from = shown === 0 ? 0 : (page - 1) * pageSize + 1;
  const to = shown === 0 ? 0 : (page - 1) * pageSize + shown;
  const items = total === null ? t('items-open', { from, to }) : t('items', { from, to, total });
  return (
    <nav
      className={props.shown === 0 && page <= 1 ? 'pager is-unneeded' : 'pager'}
      aria-label={t('paging')}
    >
      <span className="pager-text" aria-live="polite">
        {props.shown === null ? t('loading') : items}
      </span>
      {onPageSize && (
        <HTMLSelect
          aria-label={t('page-size')}
          value={pageSize}
          onChange={(event) => onPageSize(Number(event.currentTarget.value))}
          options={pageSizes.map((size) => ({ value: size, label: t('per-page', { size }) }))}
        />
      )}
      <span className="pager-steps">
        <Button
          variant="minimal"
          icon={<ChevronLeft />}
          aria-label={t('previous-page')}
          disabled={page <= 1}
          onClick={() => props.onPage(page - 1)}
        />
        <span className="pager-page">{total === null ? page : t('page-of', { page, last })}</span>
        <Button
          variant="minimal"
          icon={<ChevronRight />}
          aria-label={t('next-page')}
          disabled={page >= last}
          onClick={() => props.onPage(page + 1)}
        />
      </span>
    </nav>
  );
};
