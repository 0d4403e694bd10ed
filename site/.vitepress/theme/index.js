// The first page is the playground, which is no page of VitePress: a link to it
// leaves the ones that are.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({router, siteData}) {
    router.onBeforeRouteChange = to => {
      if (import.meta.env.SSR || new URL(to, location.href).pathname !== siteData.value.base) return
      location.href = to
      return false
    }
  },
}
