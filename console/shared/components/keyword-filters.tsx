import { Button, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './field.tsx';
import { Filters } from './filters.tsx';

type Props = Readonly<{
  label: string;
  hint: string;
  keyword: string;
  /** How many other filters narrow the list now. */
  others?: number;
  onSearch: (keyword: string) => void;
  /** Other filters; they get what is typed, so that choosing does not lose it. */
  children?: (typed: string) => ReactNode;
}>;

/** One word to search for, and what else narrows a list. */
export const KeywordFilters = ({ label, hint, keyword, others = 0, ...rest }: Props) => {
  const { t } = useTranslation('common');
  const [draft, setDraft] = useState(keyword);
  const typed = draft.trim();
  return (
    <Filters active={Number(keyword !== '') + others} onSubmit={() => rest.onSearch(typed)}>
      <Field label={label}>
        {(id) => (
          <InputGroup
            id={id}
            type="search"
            value={draft}
            placeholder={hint}
            onValueChange={setDraft}
          />
        )}
      </Field>
      {rest.children?.(typed)}
      <Button type="submit" icon={<Search />} text={t('search')} />
    </Filters>
  );
};
