// The site of docs/: `make -C site`. Pages are the Markdown of the repository, put
// together by ../prepare.
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
    theme: {light: 'github-light-high-contrast', dark: 'github-dark-high-contrast'},
    config: md => {
      // A head without words is none, which readers aloud would announce.
      md.core.ruler.push('heads', ({tokens}) => tokens.forEach((t, i) => {
        if (t.type === 'th_open' && !tokens[i + 1].content) t.tag = tokens[i + 2].tag = 'td'
      }))
      for (const kind of ['text', 'code_inline']) {
        const render = md.renderer.rules[kind]
        md.renderer.rules[kind] = (...of) => render(...of).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  head: [['link', {rel: 'icon', href: base + 'playground/mark.svg'}]],
  themeConfig: {
    logo: '/playground/mark.svg',
    socialLinks: /^(?!OWNER\/)./.test(process.env.REPOSITORY ?? '') ? [{icon: 'github', link: `https://github.com/${process.env.REPOSITORY}`}] : [],
    search: {provider: 'local'},
    outline: [2, 3],
    nav: [
      {text: 'Playground', link: '/'},
      {text: 'Rules', link: '/docs/rules'},
      {text: 'A sample review', link: '/sample.html', target: '_blank'},
      {text: 'How it is tested', link: '/docs/internals/tested'},
      {text: '中文', link: '/README.zh-CN'},
    ],
    sidebar: [
      {text: 'What do you have?', items: [
        {text: 'Playground', link: '/'}, {text: 'What it does', link: '/README'}, page('By question', 'README'), page('From the Kubernetes page', 'kubernetes-pages'), page('A folder of YAML', 'base'), page('Kustomize', 'kustomize'), page('Helm', 'helm'), page('Argo CD', 'argocd'), page('Flux', 'flux'),
        page('An editor', 'editor'), page('A closed network', 'bank'),
      ]},
      {text: 'How to', items: [
        page('Snapshots', 'snapshot'), page('Hooks and jobs', 'ci'), page('Settings', 'config'), page('Review, diff, plan', 'review'), page('Repairs', 'fix'), page('Prune', 'prune'), page('Drift', 'drift'), page('Owners', 'owners'), page('Adopt', 'adopt'),
        page('Handover', 'handover'), page('Upgrades of Kubernetes', 'upgrade'), page('Several clusters', 'clusters'), page('Rules of your own', 'own-rules'),
      ]},
      {text: 'What to expect', items: [
        page('Not simulated', 'limits'), page('Who may do what', 'trust'), page('Versions', 'versions'), {text: 'Changes', link: '/CHANGELOG'}, {text: 'Security', link: '/SECURITY'},
      ]},
      {text: 'Internals', items: [
        page('How it is tested', 'internals/tested'), page('Performance', 'internals/performance'), page('Architecture', 'internals/architecture'), page('New minors', 'internals/minors'), page('Dependencies', 'internals/dependencies'),
        {text: 'Contributing', link: '/CONTRIBUTING'},
      ]},
      {text: 'Rules', link: '/docs/rules'},
    ],
  },
}
