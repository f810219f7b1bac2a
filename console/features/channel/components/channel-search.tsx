import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { type ChannelSearch, useGroups } from '../api/channels.ts';

type Props = Readonly<{ search: ChannelSearch; onSearch: (search: ChannelSearch) => void }>;

export const ChannelSearchBar = ({ search, onSearch }: Props) => {
  const { t } = useTranslation(['channel', 'common']);
  const groups = useGroups().data ?? [];
  const [draft, setDraft] = useState(search);
  const field = (name: 'keyword' | 'model') => (
    <Field label={t(`search.${name}`)}>
      {(id) => (
        <InputGroup
          id={id}
          type="search"
          value={draft[name]}
          placeholder={t(`search-hint.${name}`)}
          onValueChange={(value) => setDraft({ ...draft, [name]: value })}
        />
      )}
    </Field>
  );
  return (
    <Filters
      active={Object.values(search).filter((value) => value !== '').length}
      onSubmit={() =>
        onSearch({ ...draft, keyword: draft.keyword.trim(), model: draft.model.trim() })
      }
    >
      {field('keyword')}
      {field('model')}
      <Field label={t('search.group')}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={draft.group}
            onChange={(event) => {
              const next = { ...draft, group: event.currentTarget.value };
              setDraft(next);
              onSearch(next);
            }}
          >
            <option value="">{t('all-groups')}</option>
            {groups.map((group) => (
              <option key={group} value={group}>
                {group}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Field>
      <Button type="submit" icon={<Search />} text={t('common:search')} />
    </Filters>
  );
};
