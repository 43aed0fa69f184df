// A check for clang-tidy (scripts/check-tidy). It finds nothing, but restricts the other checks to
// our own files. Otherwise they would traverse all system headers in each source, which takes twice
// the rest, and report nothing from there. The unit is the first node that is matched; its
// declarations are traversed after that.
#include <vector>

#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>

namespace {

using namespace clang;

class OwnCode : public tidy::ClangTidyCheck {
  public:
    using ClangTidyCheck::ClangTidyCheck;
    void registerMatchers(ast_matchers::MatchFinder *finder) override {
        finder->addMatcher(ast_matchers::translationUnitDecl().bind("unit"), this);
    }
    void check(const ast_matchers::MatchFinder::MatchResult &result) override {
        ASTContext &context = *result.Context;
        const SourceManager &files = *result.SourceManager;
        std::vector<Decl *> own;
        for (Decl *declaration : context.getTranslationUnitDecl()->decls())
            if (!files.isInSystemHeader(files.getExpansionLoc(declaration->getLocation())))
                own.push_back(declaration);
        context.setTraversalScope(own);
    }
};

class Module : public tidy::ClangTidyModule {
  public:
    void addCheckFactories(tidy::ClangTidyCheckFactories &factories) override {
        factories.registerCheck<OwnCode>("loomp-own-code");
    }
};

tidy::ClangTidyModuleRegistry::Add<Module> module("loomp", "");

} // namespace
