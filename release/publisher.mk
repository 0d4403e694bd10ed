# What the publisher fills in, and nowhere else. The only address: of the repository, OWNER/NAME, and of the
# site, if docs/ is published at one.
REPOSITORY ?= OWNER/threeway
SITE ?=
# The names on PyPI and npm, @SCOPE/NAME for one with a scope.
PYPI ?= threeway
NPM ?= threeway
