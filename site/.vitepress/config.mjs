// The site of docs/: `make site`. Pages are the Markdown of the repository, put
// together by ../prepare.
import {readFileSync} from 'node:fs'

const rules = JSON.parse(readFileSync(new URL('../rules.json', import.meta.url)))
const base = process.env.SITE ? new URL(process.env.SITE + '/').pathname.replace(/\/+$/, '/') : '/'

const page = (text, name) => ({text, link: `/docs/${name}`})

export default {
  title: 'threeway',
  description: 'Rehearse kubectl apply without a cluster',
  base,
  srcExclude: ['node_modules/**'],
  // <NAME> and {{ }} in a page are text, neither HTML nor a template of Vue.
  markdown: {
    html: false,
    config: md => {
      for (const kind of ['text', 'code_inline']) {
        const render = md.renderer.rules[kind]
        md.renderer.rules[kind] = (...of) => render(...of).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  themeConfig: {
    search: {provider: 'local'},
    outline: [2, 3],
    nav: [
      {text: 'Playground', link: '/'},
      {text: 'Rules', link: '/docs/rules'},
      {text: 'A sample review', link: '/sample.html', target: '_blank'},
      {text: 'How it is tested', link: '/docs/tested'},
      {text: '中文', link: '/README.zh-CN'},
    ],
    sidebar: [
      {text: 'Start', items: [
        {text: 'Playground', link: '/'}, {text: 'What it does', link: '/README'}, page('Without a snapshot', 'base'), page('Snapshots', 'snapshot'), page('Settings', 'config'), page('Hooks and jobs', 'ci'), page('In the editor', 'editor'),
      ]},
      {text: 'Commands', items: [
        page('Review, diff, plan', 'review'), page('Prune', 'prune'), page('Drift', 'drift'),
        page('Owners', 'owners'), page('Adopt', 'adopt'), page('Handover', 'handover'), page('Repairs', 'fix'), page('Removed fields', 'removed-fields'),
      ]},
      {text: 'What to expect', items: [
        page('Not simulated', 'limits'), page('How it is tested', 'tested'), page('Upgrades of Kubernetes', 'upgrade'), page('Performance', 'performance'), page('Versions', 'versions'),
        {text: 'Changes', link: '/CHANGELOG'}, {text: 'Security', link: '/SECURITY'},
      ]},
      {text: 'Inside', items: [page('Architecture', 'architecture'), page('Dependencies', 'dependencies'), {text: 'Contributing', link: '/CONTRIBUTING'}]},
      {text: 'Rules', collapsed: true, items: [{text: 'All', link: '/docs/rules'}, ...rules.map(r => ({text: r.id, link: `/rules/${r.id}`}))]},
    ],
  },
}
